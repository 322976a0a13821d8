package io.tokenvault.planted.adapters.http;

import java.sql.Connection;

/** Violates: persistence libraries stay in their adapter. */
public record RouteWithSql(Connection connection) {}
