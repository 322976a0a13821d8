PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA busy_timeout = 10000;
PRAGMA user_version = 3;

CREATE TABLE IF NOT EXISTS document (
  kind TEXT NOT NULL,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  due INTEGER,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, tenant, id)
);
CREATE INDEX IF NOT EXISTS document_due ON document (kind, due) WHERE due IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_tenant ON document (tenant);

CREATE TABLE IF NOT EXISTS term (
  kind TEXT NOT NULL,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  term TEXT NOT NULL,
  PRIMARY KEY (kind, term, tenant, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS term_document ON term (tenant, kind, id);

CREATE TABLE IF NOT EXISTS entry (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  created INTEGER NOT NULL,
  actor_id TEXT,
  actor_type TEXT,
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  message TEXT NOT NULL,
  trace_id TEXT
);
CREATE INDEX IF NOT EXISTS entry_newest ON entry (tenant, created DESC, sequence DESC);
CREATE TRIGGER IF NOT EXISTS entry_stays BEFORE DELETE ON entry
  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER IF NOT EXISTS entry_is_final BEFORE UPDATE ON entry
  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
