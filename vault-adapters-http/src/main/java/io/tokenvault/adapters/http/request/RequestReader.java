package io.tokenvault.adapters.http.request;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.limits.HttpLimits;
import io.tokenvault.adapters.http.limits.RequestMemory;
import io.tokenvault.adapters.http.request.JsonBodyReader.Incoming;
import io.tokenvault.adapters.http.response.EntityTags;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryReservation;
import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** What routes take out of requests, once the caller was admitted. */
public final class RequestReader {

  private static final String BYTES = RequestReader.class.getName();

  private final JsonBodyReader bodies;
  private final RequestMemory memory;
  private final RequestValidator shapes;

  public RequestReader(
      JsonCodec json, HttpLimits limits, RequestMemory memory, RequestValidator shapes) {
    this.memory = memory;
    this.bodies = new JsonBodyReader(json, limits);
    this.shapes = shapes;
  }

  /**
   * The body as a request record.
   *
   * @param violations takes what is wrong with its shape
   */
  public <T> T body(Context context, Function<JsonFields, T> reader, Violations violations) {
    return shapes.read(json(context), reader, violations);
  }

  /** The body as it is. */
  public JsonValue json(Context context) {
    return bodies.read(incoming(context), JsonContentType.JSON);
  }

  /** A merge patch as it is. */
  public JsonValue patch(Context context) {
    return bodies.read(incoming(context), JsonContentType.MERGE_PATCH);
  }

  /** The body's bytes, whatever they are, which stay to be read as something. */
  public byte[] keepBytes(Context context) {
    byte[] bytes = bodies.readAll(context.req(), room(context));
    context.attribute(BYTES, bytes);
    return bytes;
  }

  private Incoming incoming(Context context) {
    Optional<byte[]> kept = Optional.ofNullable(context.attribute(BYTES));
    return new Incoming(context.req(), kept, room(context));
  }

  /** Reads which versions may be changed, by {@code If-Match}; one that is malformed is noted. */
  public static ExpectedVersion expected(Context context, Violations violations) {
    try {
      return expected(context);
    } catch (ValidationException malformed) {
      malformed.errors().forEach((path, all) -> all.forEach(each -> violations.add(path, each)));
      return ExpectedVersion.ANY;
    }
  }

  /**
   * Reads which versions may be changed, by {@code If-Match}.
   *
   * @throws ValidationException if it is malformed
   */
  public static ExpectedVersion expected(Context context) {
    return EntityTags.ifMatch(Collections.list(context.req().getHeaders(EntityTags.IF_MATCH)));
  }

  /** For what the request is about to take of memory. */
  public MemoryReservation room(Context context) {
    return memory.of(context);
  }

  /**
   * The query as a value.
   *
   * @param reader asks for all parameters that there are
   * @throws ValidationException naming all that is wrong, and all parameters that there are not
   */
  public static <T> T query(Context context, Function<QueryParameters, T> reader) {
    Violations violations = new Violations();
    QueryParameters query = QueryParameters.parse(context.queryString(), violations);
    T value = reader.apply(query);
    query.refuseOthers();
    violations.throwIfAny();
    return value;
  }

  /**
   * For requests that take no parameters.
   *
   * @throws io.tokenvault.domain.failure.ValidationException naming those that there are
   */
  public static void requireNoQuery(Context context) {
    if (context.queryString() != null) {
      query(context, Function.identity());
    }
  }

  /**
   * The path's id; one that is no UUID names nothing.
   *
   * @throws RefusedException as for an id that does not exist
   */
  public static UUID id(Context context) {
    return JsonFields.parseUuid(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }
}
