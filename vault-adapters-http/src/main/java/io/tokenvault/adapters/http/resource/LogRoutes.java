package io.tokenvault.adapters.http.resource;

import static io.tokenvault.adapters.http.resource.Router.current;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.audit.ReadLogs.LogSlice;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
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
  private final JsonRenderer renderer;

  public LogRoutes(ReadLogs logs, RequestReader requests, JsonRenderer renderer) {
    this.logs = logs;
    this.requests = requests;
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    router
        .get("/logs", current(ReadLogs.READ), ListQuery::read, this::list)
        .get("/logs/entity-types", current(ReadLogs.READ), this::entityTypes);
  }

  /** Returns a page of entries, or the entries after a cursor if {@code start} was sent. */
  private ApiResponse list(Context context, Caller caller, ListQuery query) {
    MemoryReservation reservation = requests.reservation(context);
    if (query.start().isPresent()) {
      if (query.page().page() > 1) {
        throw ValidationException.of("page", "must be 1 or absent with start");
      }
      int size = query.page().size();
      LogSlice slice =
          logs.walk(caller, query.filter(), query.start().get().position(), size, reservation);
      return ApiResponse.ok(
          renderer.slice(
              slice.entries(),
              slice.next().map(LogCursor::of).map(LogCursor::text),
              size,
              LogRoutes::render));
    }
    return ApiResponse.ok(
        renderer.page(
            logs.list(caller, query.filter(), query.page(), reservation), LogRoutes::render));
  }

  /** Returns the types of entities that entries can have. */
  private ApiResponse entityTypes(Context context, Caller caller) {
    return ApiResponse.ok(
        renderer.text(JsonRenderer.array(logs.entityTypes(caller), LogRoutes::renderType)));
  }

  private static void render(RecordedEntry recorded, ObjectWriter json) {
    AuditEntry entry = recorded.entry();
    json.put("tenant_id", entry.tenantId().value())
        .optional("actor_id", entry.actor().id(), json::put)
        .optional("actor_type", entry.actor().type(), json::put)
        .put("entity_type", entry.entityType().value())
        .put("entity_id", entry.entityId())
        .put("operation", entry.operation().value())
        .put("message", entry.message())
        .optional("trace_id", entry.traceId(), json::put)
        .put("created_at", recorded.createdAt());
  }

  private static void renderType(EntityType type, ObjectWriter json) {
    json.put("display_name", type.displayName()).put("value", type.value());
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
          query.one(
              "start", LogCursor::read, "must be empty or the `next` value of an earlier page"));
    }
  }

  /**
   * A position in the audit log, in an opaque form that clients can put into a URL.
   *
   * <p>The form is the entry's time in microseconds and its sequence number, 8 bytes each, in
   * URL-safe Base64.
   *
   * @param position the position to continue from; empty to start with the newest entry
   */
  record LogCursor(Optional<LogPosition> position) {

    private static final int SIZE = 2 * Long.BYTES;
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    static LogCursor of(LogPosition position) {
      return new LogCursor(Optional.of(position));
    }

    /**
     * Parses a cursor. An empty text starts with the newest entry.
     *
     * @return empty if the text is not a cursor
     */
    static Optional<LogCursor> read(String text) {
      if (text.isEmpty()) {
        return Optional.of(new LogCursor(Optional.empty()));
      }
      try {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        return bytes.length == SIZE ? read(ByteBuffer.wrap(bytes)) : Optional.empty();
      } catch (IllegalArgumentException malformed) {
        return Optional.empty();
      }
    }

    /**
     * Reads a position; empty for a time that no entry can have and the database may not support.
     */
    private static Optional<LogCursor> read(ByteBuffer bytes) {
      Instant time = Instant.EPOCH.plus(bytes.getLong(), ChronoUnit.MICROS);
      return time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)
          ? Optional.empty()
          : Optional.of(of(new LogPosition(time, bytes.getLong())));
    }

    /** Returns the text of a cursor, which must have a position. */
    String text() {
      LogPosition place = position.orElseThrow();
      ByteBuffer bytes = ByteBuffer.allocate(SIZE);
      bytes.putLong(ChronoUnit.MICROS.between(Instant.EPOCH, place.createdAt()));
      bytes.putLong(place.sequence());
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }
  }
}
