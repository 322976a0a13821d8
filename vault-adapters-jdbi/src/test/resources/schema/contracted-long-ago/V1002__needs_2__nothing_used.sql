-- A version to come that takes away what no node has used since version 2.
DROP TABLE IF EXISTS never_used;
