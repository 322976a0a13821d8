package io.tokenvault.engine.worker.node;

import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A failure as Node.js words it, on its way to become an error object of the script's realm.
 * Carries no Java object to the script.
 */
final class NodeError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final SortedMap<String, String> NONE = Collections.emptySortedMap();

  private final String type;
  private final String code;
  private final transient SortedMap<String, String> extras;

  private NodeError(String type, String code, String message, SortedMap<String, String> extras) {
    super(message, null, false, false);
    this.type = type;
    this.code = code;
    this.extras = extras;
  }

  static NodeError error(String code, String message) {
    return new NodeError("Error", code, message, NONE);
  }

  static NodeError type(String code, String message) {
    return new NodeError("TypeError", code, message, NONE);
  }

  static NodeError range(String code, String message) {
    return new NodeError("RangeError", code, message, NONE);
  }

  /** What OpenSSL said, as Node.js passes it on. */
  static NodeError openSsl(String number, String library, String reason) {
    String code = "ERR_OSSL_" + reason.replace(' ', '_').toUpperCase(Locale.ROOT);
    return openSsl(number, library, reason, code);
  }

  static NodeError openSsl(String number, String library, String reason, String code) {
    String message = "error:" + number + ":" + library + "::" + reason;
    SortedMap<String, String> extras = new TreeMap<>();
    extras.put("library", library);
    extras.put("reason", reason);
    return new NodeError("Error", code, message, extras);
  }

  /** {@code expected} is how Node.js lists it: {@code of type string or an instance of Buffer}. */
  static NodeError argument(String name, String expected, Object value) {
    return argument("\"" + name + "\" argument", expected, Received.by(value));
  }

  static NodeError property(String name, String expected, Object value) {
    return argument("\"" + name + "\" property", expected, Received.by(value));
  }

  static NodeError firstArgument(String expected, Object value) {
    return argument("first argument", expected, Received.by(value));
  }

  private static NodeError argument(String what, String expected, String received) {
    return type(
        "ERR_INVALID_ARG_TYPE", "The " + what + " must be " + expected + ". Received " + received);
  }

  static NodeError value(String name, Object value) {
    return type(
        "ERR_INVALID_ARG_VALUE",
        "The argument '" + name + "' is invalid. Received " + Received.inspect(value));
  }

  static NodeError option(String name, Object value) {
    return type(
        "ERR_INVALID_ARG_VALUE",
        "The property 'options." + name + "' is invalid. Received " + Received.inspect(value));
  }

  static NodeError outOfRange(String name, String range, Object value) {
    return range(
        "ERR_OUT_OF_RANGE",
        "The value of \""
            + name
            + "\" is out of range. It must be "
            + range
            + ". Received "
            + Received.number(value));
  }

  static NodeError outOfBounds() {
    return range("ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
  }

  static NodeError outOfBounds(String name) {
    return range("ERR_BUFFER_OUT_OF_BOUNDS", "\"" + name + "\" is outside of buffer bounds");
  }

  static NodeError unknownEncoding(String name) {
    return type("ERR_UNKNOWN_ENCODING", "Unknown encoding: " + name);
  }

  static NodeError invalidState(String message) {
    return error("ERR_CRYPTO_INVALID_STATE", message);
  }

  /** Something of Node.js that the surface does not have, said by its name. */
  static NodeError unavailable(String name) {
    return error("ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", name + " is not available in a transform");
  }

  String type() {
    return type;
  }

  /** May be null. */
  String code() {
    return code;
  }

  /** Further properties of the error object, in their order. */
  SortedMap<String, String> extras() {
    return extras;
  }
}
