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

/**
 * Reads bodies, queries, preconditions and ids from requests. Routes call it after the caller has
 * been authenticated. Thread-safe.
 */
public final class RequestReader {

  private static final String BYTES = RequestReader.class.getName();

  private final JsonBodyReader bodies;
  private final RequestMemory memory;
  private final RequestValidator shapes;

  /**
   * Creates the reader.
   *
   * @param json parses bodies
   * @param limits bound the size and the arrival time of bodies
   * @param memory accounts for the memory of each request
   * @param shapes checks the constraints of request records
   */
  public RequestReader(
      JsonCodec json, HttpLimits limits, RequestMemory memory, RequestValidator shapes) {
    this.memory = memory;
    this.bodies = new JsonBodyReader(json, limits);
    this.shapes = shapes;
  }

  /**
   * Reads the body as a request record.
   *
   * @param reader creates the record from the fields of the body
   * @param violations collects what is wrong with the fields; must be checked before the record is
   *     used
   * @throws io.tokenvault.adapters.http.response.RejectedRequestException if the body has another
   *     content type or did not arrive in time
   * @throws RefusedException if the body is too large, or there is not enough memory for it
   * @throws ValidationException if the body is not a JSON object
   */
  public <T> T body(Context context, Function<JsonFields, T> reader, Violations violations) {
    return shapes.read(json(context), reader, violations);
  }

  /** Reads the body as a JSON value, without a schema. */
  public JsonValue json(Context context) {
    return bodies.read(incoming(context), JsonContentType.JSON);
  }

  /** Reads a JSON merge patch (RFC 7386) as a JSON value. */
  public JsonValue patch(Context context) {
    return bodies.read(incoming(context), JsonContentType.MERGE_PATCH);
  }

  /**
   * Reads the bytes of the body and keeps them, so that they can be read again as JSON. Returns no
   * bytes if there is no body.
   */
  public byte[] keepBytes(Context context) {
    byte[] bytes = bodies.readAll(context.req(), room(context));
    context.attribute(BYTES, bytes);
    return bytes;
  }

  private Incoming incoming(Context context) {
    Optional<byte[]> kept = Optional.ofNullable(context.attribute(BYTES));
    return new Incoming(context.req(), kept, room(context));
  }

  /**
   * Reads the versions that the request may change from {@code If-Match}. A malformed header
   * becomes a violation and accepts any version.
   */
  public static ExpectedVersion expected(Context context, Violations violations) {
    try {
      return expected(context);
    } catch (ValidationException malformed) {
      malformed.errors().forEach((path, all) -> all.forEach(each -> violations.add(path, each)));
      return ExpectedVersion.ANY;
    }
  }

  /**
   * Reads the versions that the request may change from {@code If-Match}.
   *
   * @return any version if the header is missing
   * @throws ValidationException if the header is malformed
   */
  public static ExpectedVersion expected(Context context) {
    return EntityTags.ifMatch(Collections.list(context.req().getHeaders(EntityTags.IF_MATCH)));
  }

  /** Returns the memory reservation of the request. */
  public MemoryReservation room(Context context) {
    return memory.of(context);
  }

  /**
   * Reads the query as a value.
   *
   * @param reader reads all parameters that the route has
   * @throws ValidationException naming all invalid and all unknown parameters
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
   * Checks that a request has no parameters.
   *
   * @throws ValidationException naming the parameters that were sent
   */
  public static void requireNoQuery(Context context) {
    if (context.queryString() != null) {
      query(context, Function.identity());
    }
  }

  /**
   * Reads the id in the path.
   *
   * @throws RefusedException if it is not a UUID, with the same cause as for an unknown id
   */
  public static UUID id(Context context) {
    return JsonFields.parseUuid(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }
}
