-- A version to come, which only adds.
ALTER TABLE audit_entry ADD COLUMN to_come text;
ALTER TABLE token ADD COLUMN to_come integer NOT NULL DEFAULT 1;
ALTER TABLE application ADD COLUMN to_come text;
ALTER TABLE proxy ADD COLUMN to_come text;
ALTER TABLE tenant ADD COLUMN to_come text;
CREATE TABLE to_come (tenant_id uuid PRIMARY KEY);
