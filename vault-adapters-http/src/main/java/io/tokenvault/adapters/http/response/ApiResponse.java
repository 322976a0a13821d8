package io.tokenvault.adapters.http.response;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A complete response of the API, ready to be written.
 *
 * @param status the HTTP status
 * @param body the body with its content type; empty for none
 * @param headers all other headers, by name
 */
public record ApiResponse(int status, Optional<Body> body, Map<String, String> headers) {

  public static final String JSON = "application/json";
  static final String ETAG = "ETag";

  public ApiResponse {
    headers = Map.copyOf(headers);
  }

  /** Returns a response with status 200. */
  public static ApiResponse ok(byte[] json) {
    return of(200, JSON, json);
  }

  /**
   * Returns a response with status 201.
   *
   * @param location the path of the new resource
   */
  public static ApiResponse created(String location, byte[] json) {
    return of(201, JSON, json).with("Location", location);
  }

  /** Returns this response with the version of its resource as a strong entity tag. */
  public ApiResponse ofVersion(long version) {
    return with(ETAG, "\"" + version + "\"");
  }

  /** Returns a response with status 204. */
  public static ApiResponse noContent() {
    return new ApiResponse(204, Optional.empty(), Map.of());
  }

  /**
   * Returns a response with a body.
   *
   * @param contentType the media type of the body, with its charset if it has one
   * @param body the bytes of the body, which are not copied
   */
  public static ApiResponse of(int status, String contentType, byte[] body) {
    return new ApiResponse(status, Optional.of(new Body(contentType, body)), Map.of());
  }

  /** Returns this response with a header, which replaces one of the same name. */
  public ApiResponse with(String header, String value) {
    return with(Map.of(header, value));
  }

  /** Returns this response with headers, which replace those of the same names. */
  public ApiResponse with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new ApiResponse(status, body, all);
  }

  /** Returns the status only, since everything else can be sensitive. */
  @Override
  public String toString() {
    return "ApiResponse[" + status + "]";
  }

  /**
   * The body of a response and its content type.
   *
   * @param bytes the bytes, which are not copied and must not be modified
   */
  public record Body(String contentType, byte[] bytes) {}
}
