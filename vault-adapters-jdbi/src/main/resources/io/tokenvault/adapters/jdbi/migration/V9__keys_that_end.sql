-- Earlier keys of applications that go on for a time of grace, and when an application was last used.

-- A key of kind 'ending' is an application's and lets in until ends_at. Nodes of earlier versions
-- look for keys of kind 'api' only: they refuse an ending key and never let one in past its end.
-- last_used_at is the application's, kept with its present key (kind 'api'): a row that is small,
-- and not part of any decision's version.
ALTER TABLE credential
  ADD COLUMN ends_at      timestamptz,
  ADD COLUMN last_used_at timestamptz,
  DROP CONSTRAINT credential_kind_check,
  ADD CONSTRAINT credential_kind_check CHECK (
    kind IN ('api', 'proxy', 'ending') AND (kind = 'ending') = (ends_at IS NOT NULL));

CREATE INDEX credential_end ON credential (ends_at) WHERE ends_at IS NOT NULL;
