package io.tokenvault.adapters.http.response;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A whole answer of ours, ready to be written. */
public record ApiResponse(int status, Optional<Body> body, Map<String, String> headers) {

  public static final String JSON = "application/json";

  public ApiResponse {
    headers = Map.copyOf(headers);
  }

  public static ApiResponse ok(byte[] json) {
    return of(200, JSON, json);
  }

  /**
   * @param location where what was found in place of a new thing is
   */
  public static ApiResponse existing(String location, byte[] json) {
    return ok(json).with("Content-Location", location);
  }

  /**
   * @param location where the new thing is found
   */
  public static ApiResponse created(String location, byte[] json) {
    return of(201, JSON, json).with("Location", location);
  }

  /** The same with the version of the resource that it shows. */
  public ApiResponse ofVersion(long version) {
    return with(EntityTags.ETAG, EntityTags.of(version));
  }

  public static ApiResponse noContent() {
    return withoutBody(204);
  }

  public static ApiResponse withoutBody(int status) {
    return new ApiResponse(status, Optional.empty(), Map.of());
  }

  public static ApiResponse of(int status, String contentType, byte[] body) {
    return new ApiResponse(status, Optional.of(new Body(contentType, body)), Map.of());
  }

  public ApiResponse with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ApiResponse(status, body, more);
  }

  @Override
  public String toString() {
    return "Answer[" + status + "]";
  }

  /** A body with its type. */
  public static final class Body {

    private final String contentType;
    private final byte[] bytes;

    Body(String contentType, byte[] bytes) {
      this.contentType = contentType;
      this.bytes = bytes;
    }

    public String contentType() {
      return contentType;
    }

    /** Not a copy; nobody changes it. */
    public byte[] bytes() {
      return bytes;
    }
  }
}
