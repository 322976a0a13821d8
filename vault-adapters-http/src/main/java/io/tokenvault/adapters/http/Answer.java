package io.tokenvault.adapters.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A whole answer of ours, ready to be written. */
record Answer(int status, Optional<Body> body, Map<String, String> headers) {

  static final String JSON = "application/json";

  Answer {
    headers = Map.copyOf(headers);
  }

  static Answer ok(byte[] json) {
    return of(200, JSON, json);
  }

  /**
   * @param location where what was found in place of a new thing is
   */
  static Answer existing(String location, byte[] json) {
    return ok(json).with("Content-Location", location);
  }

  /**
   * @param location where the new thing is found
   */
  static Answer created(String location, byte[] json) {
    return of(201, JSON, json).with("Location", location);
  }

  /** The same with the version of the resource that it shows. */
  Answer ofVersion(long version) {
    return with(EntityTags.ETAG, EntityTags.of(version));
  }

  static Answer noContent() {
    return withoutBody(204);
  }

  static Answer withoutBody(int status) {
    return new Answer(status, Optional.empty(), Map.of());
  }

  static Answer of(int status, String contentType, byte[] body) {
    return new Answer(status, Optional.of(new Body(contentType, body)), Map.of());
  }

  Answer with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Answer(status, body, more);
  }

  @Override
  public String toString() {
    return "Answer[" + status + "]";
  }

  /** A body with its type. */
  static final class Body {

    private final String contentType;
    private final byte[] bytes;

    Body(String contentType, byte[] bytes) {
      this.contentType = contentType;
      this.bytes = bytes;
    }

    String contentType() {
      return contentType;
    }

    /** Not a copy; nobody changes it. */
    byte[] bytes() {
      return bytes;
    }
  }
}
