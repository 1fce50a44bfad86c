//! Static dispatch over an enum of types with a common trait.

/// Evaluates an expression with the content of whichever variant a value is.
///
/// ```
/// enum Shape {
///     Square(f64),
///     Line(f64),
/// }
///
/// let length = |shape| pacesim_units::dispatch!(shape, Shape { Square, Line }, of => of);
/// assert_eq!(length(Shape::Square(2.0)) + length(Shape::Line(1.0)), 3.0);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($value:expr, $of:ident { $($variant:ident),+ $(,)? }, $content:ident => $answer:expr) => {
        match $value {
            $( $of::$variant($content) => $answer, )+
        }
    };
}
