package io.tokenvault.planted.adapters.jdbi;

import io.tokenvault.planted.adapters.http.RouteWithSql;

/** Breaks: one public class at an adapter's root; adapters do not see each other. */
public final class SecondPublicClass {
  RouteWithSql route;
}
