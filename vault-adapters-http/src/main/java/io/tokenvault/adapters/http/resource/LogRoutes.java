package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.json.JsonTextWriter.Members;
import io.tokenvault.adapters.http.json.Timestamps;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.LogCursor;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.audit.ReadLogs.LogSlice;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.Optional;

/**
 * The routes of the audit log (interface, section 4, Logs). The log can be read by pages or, with
 * the parameter {@code start}, by a cursor.
 */
public final class LogRoutes {

  /** The largest page of the log. */
  private static final int MAX_SIZE = 10_000;

  private final ReadLogs logs;
  private final RequestReader requests;
  private final ResourceRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param logs the use case that they call
   * @param requests provides the memory of each request
   * @param renderer renders responses
   */
  public LogRoutes(ReadLogs logs, RequestReader requests, ResourceRenderer renderer) {
    this.logs = logs;
    this.requests = requests;
    this.renderer = renderer;
  }

  /** Adds the routes to a router. */
  public void addTo(Router router) {
    router
        .get("/logs", ReadLogs.READ, ListQuery::read, this::list)
        .get("/logs/entity-types", ReadLogs.READ, this::entityTypes);
  }

  /** Returns a page of entries, or the entries after a cursor if {@code start} was sent. */
  private ApiResponse list(Context context, Caller caller, ListQuery query) {
    MemoryReservation room = requests.room(context);
    if (query.start().isPresent()) {
      int size = query.page().size();
      LogSlice slice =
          logs.walk(caller, query.filter(), query.start().get().position(), size, room);
      return ApiResponse.ok(
          renderer.slice(
              slice.entries(), slice.next().map(LogCursor::of), size, LogRoutes::render));
    }
    return ApiResponse.ok(
        renderer.page(logs.list(caller, query.filter(), query.page(), room), LogRoutes::render));
  }

  /** Returns the types of entities that entries can have. */
  private ApiResponse entityTypes(Context context, Caller caller) {
    return ApiResponse.ok(renderer.all(logs.entityTypes(caller), LogRoutes::renderType));
  }

  private static void render(RecordedEntry recorded, Members members) {
    AuditEntry entry = recorded.entry();
    members
        .put("tenant_id", entry.tenantId().value())
        .optional("actor_id", entry.actor().id(), members::put)
        .optional("actor_type", entry.actor().type(), members::put)
        .put("entity_type", entry.entityType().value())
        .put("entity_id", entry.entityId())
        .put("operation", entry.operation().value())
        .put("message", entry.message())
        .put("created_at", recorded.createdAt());
  }

  private static void renderType(EntityType type, Members members) {
    members.put("display_name", type.displayName()).put("value", type.value());
  }

  /**
   * The filters and the page of the list.
   *
   * @param start the cursor to continue from; a cursor without position for the newest entries;
   *     empty to read by pages
   */
  private record ListQuery(LogFilter filter, PageRequest page, Optional<LogCursor> start) {
    static ListQuery read(QueryParameters query) {
      return new ListQuery(
          new LogFilter(
              query.one("entity_type"),
              query.one("entity_id"),
              query.one("actor_id", JsonFields::parseUuid, "must be a UUID"),
              query.one("operation", Operation::of, "must be one of " + Operation.choices()),
              query.one("start_date", Timestamps::readFromQuery, Timestamps.DATE_SHAPE),
              query.one("end_date", Timestamps::readFromQuery, Timestamps.DATE_SHAPE)),
          query.page(MAX_SIZE),
          query.one("start", LogCursor::read, "must be empty or the next of an earlier answer"));
    }
  }
}
