//! The tables of a store; `docs/results.md` explains them for users who open one.

/// The application id in SQLite's header: "pace".
pub(super) const APPLICATION: i64 = 0x7061_6365;

/// The version of these tables, increased with every change.
pub(super) const VERSION: i64 = 5;

pub(super) const TABLES: &str = "
-- What the store is of; of the last sweep the versions, the study's text and that of the scenario
-- it stands on, and the options; 'digest' is over all other rows, over points and axes.
CREATE TABLE study (
  key TEXT PRIMARY KEY,
  value NOT NULL
) WITHOUT ROWID;

-- The grid of the last sweep.
CREATE TABLE points (
  point INTEGER PRIMARY KEY,
  scenario TEXT NOT NULL,
  seed INTEGER NOT NULL,
  replications INTEGER NOT NULL,
  windows INTEGER NOT NULL
);
CREATE TABLE axes (
  point INTEGER NOT NULL,
  axis TEXT NOT NULL,
  text TEXT NOT NULL,
  number REAL,
  PRIMARY KEY (point, axis)
) WITHOUT ROWID;

-- All runs that were ever finished. One whose measured time is cut into windows has a row for
-- each of them.
CREATE TABLE runs (
  run INTEGER PRIMARY KEY,
  scenario TEXT NOT NULL,
  results INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  windows INTEGER NOT NULL,
  window INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  metrics INTEGER NOT NULL,
  packet_hops INTEGER NOT NULL,
  wall_s REAL NOT NULL,
  peak_rss_bytes INTEGER,
  version TEXT NOT NULL,
  -- Why, when and where the run gave up, if it did: then it has no number but when.
  gave_up TEXT,
  -- Over all that the run came to: its key, fingerprint, names, numbers and tables.
  digest BLOB NOT NULL,
  UNIQUE (scenario, results, replication, windows, window)
);

-- Runs that took too much of a machine, and why: they have no results, and may have some elsewhere.
CREATE TABLE abandoned (
  scenario TEXT NOT NULL,
  results INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  windows INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (scenario, results, replication, windows)
) WITHOUT ROWID;

-- Where warm-ups end, by the scenario without one and the numbers that show it.
CREATE TABLE warmups (
  scenario TEXT NOT NULL,
  results INTEGER NOT NULL,
  numbers TEXT NOT NULL,
  warmup_ps INTEGER NOT NULL,
  settled INTEGER NOT NULL,
  -- Over the other columns.
  digest BLOB NOT NULL,
  PRIMARY KEY (scenario, results, numbers)
) WITHOUT ROWID;

-- The names of numbers; many runs share a list of them.
CREATE TABLE metrics (
  list INTEGER NOT NULL,
  place INTEGER NOT NULL,
  of TEXT NOT NULL,
  entity TEXT NOT NULL,
  metric TEXT NOT NULL,
  PRIMARY KEY (list, place)
) WITHOUT ROWID;
CREATE TABLE numbers (
  run INTEGER NOT NULL,
  place INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY (run, place)
) WITHOUT ROWID;

-- The tables of what [[measure]] asks for, as CSV with a line of names.
CREATE TABLE measured (
  run INTEGER NOT NULL,
  measure TEXT NOT NULL,
  csv TEXT NOT NULL,
  UNIQUE (run, measure)
);

-- What most questions are about.
CREATE VIEW results AS
  SELECT points.point, runs.replication, runs.window, runs.seed, runs.fingerprint,
         metrics.of, metrics.entity, metrics.metric, numbers.value
  FROM points
  JOIN runs ON runs.scenario = points.scenario
    AND runs.results = (SELECT value FROM study WHERE key = 'results')
    AND runs.windows = (SELECT value FROM study WHERE key = 'windows')
  JOIN numbers ON numbers.run = runs.run
  JOIN metrics ON metrics.list = runs.metrics AND metrics.place = numbers.place;
";
