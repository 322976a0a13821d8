package io.tokenvault.planted.adapters.http;

import java.sql.Connection;

/** Breaks: persistence stays in its adapter. */
public record RouteWithSql(Connection connection) {}
