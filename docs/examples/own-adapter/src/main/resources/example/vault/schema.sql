CREATE TABLE IF NOT EXISTS document (
  kind TEXT NOT NULL,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  due INTEGER,
  body TEXT NOT NULL,
  UNIQUE (tenant, kind, id)
);
CREATE INDEX IF NOT EXISTS document_due ON document (kind, due) WHERE due IS NOT NULL;

CREATE TABLE IF NOT EXISTS credential (
  hash BLOB NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  ends INTEGER,
  PRIMARY KEY (hash, version)
);
CREATE INDEX IF NOT EXISTS credential_owner ON credential (tenant, kind, owner);

CREATE TABLE IF NOT EXISTS entry (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  created INTEGER NOT NULL,
  actor_id TEXT,
  actor_type TEXT,
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  message TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entry_newest ON entry (tenant, created DESC, sequence DESC);
CREATE TRIGGER IF NOT EXISTS entry_stays BEFORE DELETE ON entry
  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER IF NOT EXISTS entry_is_final BEFORE UPDATE ON entry
  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

CREATE TABLE IF NOT EXISTS token_version (last INTEGER NOT NULL);
INSERT INTO token_version SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM token_version);
