//! Python's values as TOML.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::fault::usage;

/// Deeper than any scenario, and shallow enough for the stack.
const DEEPEST: usize = 64;

/// A dict as a TOML document: a line for each of its keys.
pub(crate) fn document(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut text = String::new();
    for (key, value) in dict {
        let key = name(&key, "")?;
        write_key(&key, &mut text);
        text.push_str(" = ");
        write(&value, &key, 1, &mut text)?;
        text.push('\n');
    }
    Ok(text)
}

/// One value as TOML; `path` names it in errors.
pub(crate) fn value(value: &Bound<'_, PyAny>, path: &str) -> PyResult<String> {
    let mut text = String::new();
    write(value, path, 0, &mut text)?;
    Ok(text)
}

fn write(value: &Bound<'_, PyAny>, path: &str, depth: usize, to: &mut String) -> PyResult<()> {
    if depth > DEEPEST {
        let message = format!("{path} is nested more than {DEEPEST} deep, or contains itself");
        return Err(usage(message));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        to.push_str(if flag.is_true() { "true" } else { "false" });
    } else if let Ok(text) = value.cast::<PyString>() {
        write_string(&text.to_cow().map_err(|_| no_text(path))?, to);
    } else if let Ok(dict) = value.cast::<PyDict>() {
        write_table(dict, path, depth, to)?;
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        to.push('[');
        for (place, item) in value.try_iter()?.enumerate() {
            if place > 0 {
                to.push_str(", ");
            }
            write(&item?, &format!("{path}[{place}]"), depth + 1, to)?;
        }
        to.push(']');
    } else if value.is_instance_of::<PyInt>() {
        let number = value.extract::<i64>().map_err(|_| too_large(path))?;
        to.push_str(&number.to_string());
    } else if value.is_instance_of::<PyFloat>() {
        to.push_str(&format!("{:?}", value.extract::<f64>()?).to_lowercase());
    } else if let Some(plain) = plain(value) {
        write(&plain, path, depth + 1, to)?;
    } else {
        return Err(no_toml(value, path)?);
    }
    Ok(())
}

/// The value of a path, or of NumPy's numbers and arrays, as one of Python's own types.
fn plain<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    // A class has these methods too, and cannot call them.
    let methods = ["__fspath__", "tolist", "__index__"];
    methods
        .iter()
        .find_map(|method| value.call_method0(*method).ok())
}

fn write_table(
    dict: &Bound<'_, PyDict>,
    path: &str,
    depth: usize,
    to: &mut String,
) -> PyResult<()> {
    to.push('{');
    for (place, (key, value)) in dict.iter().enumerate() {
        to.push_str(if place > 0 { ", " } else { " " });
        let key = name(&key, path)?;
        write_key(&key, to);
        to.push_str(" = ");
        write(&value, &format!("{path}.{key}"), depth + 1, to)?;
    }
    to.push_str(" }");
    Ok(())
}

/// A key as a string; `path` is the table's, empty for the whole dict.
pub(crate) fn name(key: &Bound<'_, PyAny>, path: &str) -> PyResult<String> {
    let of = if path.is_empty() { "the dict" } else { path };
    match key.extract::<String>() {
        Ok(key) => Ok(key),
        Err(_) => {
            let key = key.repr()?;
            Err(usage(format!(
                "a key of {of} is {key}; keys of TOML are strings"
            )))
        }
    }
}

/// Writes a key, bare where TOML allows it.
fn write_key(key: &str, to: &mut String) {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !key.is_empty() && key.bytes().all(is_bare) {
        to.push_str(key)
    } else {
        write_string(key, to)
    }
}

/// Writes a basic string. JSON's escapes are valid in TOML, which also requires DEL to be escaped.
fn write_string(text: &str, to: &mut String) {
    let quoted = serde_json::Value::from(text).to_string();
    to.push_str(&quoted.replace('\u{7f}', "\\u007F"));
}

fn no_text(path: &str) -> PyErr {
    usage(format!(
        "{path} is a string that is not Unicode; TOML is UTF-8"
    ))
}

fn too_large(path: &str) -> PyErr {
    usage(format!(
        "{path} is a whole number beyond 64 bits; write it as a float or with a unit"
    ))
}

fn no_toml(value: &Bound<'_, PyAny>, path: &str) -> PyResult<PyErr> {
    if value.is_none() {
        let message = format!("{path} is None, which TOML does not have; leave the key out");
        return Ok(usage(message));
    }
    let kind = value.get_type().name()?;
    let wanted = "give a str, a bool, an int, a float, a list or a dict";
    Ok(usage(format!(
        "{path} is of type {kind}, which TOML does not have; {wanted}"
    )))
}
