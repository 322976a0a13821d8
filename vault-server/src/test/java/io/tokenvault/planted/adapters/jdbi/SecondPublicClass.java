package io.tokenvault.planted.adapters.jdbi;

import io.tokenvault.planted.adapters.http.RouteWithSql;

/** Violates: one public class in an adapter's root; adapters do not use each other. */
public final class SecondPublicClass {
  RouteWithSql route;
}
