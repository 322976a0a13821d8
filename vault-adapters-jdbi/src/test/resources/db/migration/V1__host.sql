-- A migration of an application that the vault is part of.
CREATE TABLE of_the_host (id integer PRIMARY KEY);
