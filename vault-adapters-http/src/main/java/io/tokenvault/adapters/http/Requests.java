package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.BodyReader.Incoming;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.MemoryReservation;
import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** What routes take out of requests, once the caller was admitted. */
final class Requests {

  private static final String BYTES = Requests.class.getName();

  private final BodyReader bodies;
  private final RequestMemory memory;
  private final Shapes shapes;

  Requests(JsonCodec json, HttpLimits limits, RequestMemory memory, Shapes shapes) {
    this.memory = memory;
    this.bodies = new BodyReader(json, limits);
    this.shapes = shapes;
  }

  /**
   * The body as a request record.
   *
   * @param violations takes what is wrong with its shape
   */
  <T> T body(Context context, Function<JsonFields, T> reader, Violations violations) {
    return shapes.read(json(context), reader, violations);
  }

  /** The body as it is. */
  JsonValue json(Context context) {
    return bodies.read(incoming(context), BodyType.JSON);
  }

  /** A merge patch as it is. */
  JsonValue patch(Context context) {
    return bodies.read(incoming(context), BodyType.MERGE_PATCH);
  }

  /** The body's bytes, whatever they are, which stay to be read as something. */
  byte[] keepBytes(Context context) {
    byte[] bytes = bodies.readAll(context.req(), room(context));
    context.attribute(BYTES, bytes);
    return bytes;
  }

  private Incoming incoming(Context context) {
    Optional<byte[]> kept = Optional.ofNullable(context.attribute(BYTES));
    return new Incoming(context.req(), kept, room(context));
  }

  /** Reads which versions may be changed, by {@code If-Match}; one that is malformed is noted. */
  static ExpectedVersion expected(Context context, Violations violations) {
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
  static ExpectedVersion expected(Context context) {
    return EntityTags.ifMatch(Collections.list(context.req().getHeaders(EntityTags.IF_MATCH)));
  }

  /** For what the request is about to take of memory. */
  MemoryReservation room(Context context) {
    return memory.of(context);
  }

  /**
   * The query as a value.
   *
   * @param reader asks for all parameters that there are
   * @throws ValidationException naming all that is wrong, and all parameters that there are not
   */
  static <T> T query(Context context, Function<QueryParameters, T> reader) {
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
  static void requireNoQuery(Context context) {
    if (context.queryString() != null) {
      query(context, Function.identity());
    }
  }

  /**
   * The path's id; one that is no UUID names nothing.
   *
   * @throws RefusedException as for an id that does not exist
   */
  static UUID id(Context context) {
    return JsonFields.parseUuid(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }
}
