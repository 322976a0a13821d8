package io.tokenvault.engine.worker.node.script;

import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A failure as Node.js words it, on its way to become an error object of the script's realm.
 * Carries no Java object to the script.
 */
public final class NodeError extends RuntimeException {
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

  public static NodeError error(String code, String message) {
    return new NodeError("Error", code, message, NONE);
  }

  public static NodeError type(String code, String message) {
    return new NodeError("TypeError", code, message, NONE);
  }

  public static NodeError range(String code, String message) {
    return new NodeError("RangeError", code, message, NONE);
  }

  /** What OpenSSL said, as Node.js passes it on. */
  public static NodeError openSsl(String number, String library, String reason) {
    String code = "ERR_OSSL_" + reason.replace(' ', '_').toUpperCase(Locale.ROOT);
    return openSsl(number, library, reason, code);
  }

  public static NodeError openSsl(String number, String library, String reason, String code) {
    String message = "error:" + number + ":" + library + "::" + reason;
    SortedMap<String, String> extras = new TreeMap<>();
    extras.put("library", library);
    extras.put("reason", reason);
    return new NodeError("Error", code, message, extras);
  }

  /** {@code expected} is how Node.js lists it: {@code of type string or an instance of Buffer}. */
  public static NodeError argument(String name, String expected, Object value) {
    return argument("\"" + name + "\" argument", expected, ReceivedValue.by(value));
  }

  public static NodeError property(String name, String expected, Object value) {
    return argument("\"" + name + "\" property", expected, ReceivedValue.by(value));
  }

  public static NodeError firstArgument(String expected, Object value) {
    return argument("first argument", expected, ReceivedValue.by(value));
  }

  private static NodeError argument(String what, String expected, String received) {
    return type(
        "ERR_INVALID_ARG_TYPE", "The " + what + " must be " + expected + ". Received " + received);
  }

  public static NodeError value(String name, Object value) {
    return type(
        "ERR_INVALID_ARG_VALUE",
        "The argument '" + name + "' is invalid. Received " + ReceivedValue.inspect(value));
  }

  public static NodeError option(String name, Object value) {
    return type(
        "ERR_INVALID_ARG_VALUE",
        "The property 'options." + name + "' is invalid. Received " + ReceivedValue.inspect(value));
  }

  public static NodeError outOfRange(String name, String range, Object value) {
    return range(
        "ERR_OUT_OF_RANGE",
        "The value of \""
            + name
            + "\" is out of range. It must be "
            + range
            + ". Received "
            + ReceivedValue.number(value));
  }

  public static NodeError outOfBounds() {
    return range("ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
  }

  public static NodeError outOfBounds(String name) {
    return range("ERR_BUFFER_OUT_OF_BOUNDS", "\"" + name + "\" is outside of buffer bounds");
  }

  public static NodeError unknownEncoding(String name) {
    return type("ERR_UNKNOWN_ENCODING", "Unknown encoding: " + name);
  }

  public static NodeError invalidState(String message) {
    return error("ERR_CRYPTO_INVALID_STATE", message);
  }

  /** Something of Node.js that the surface does not have, said by its name. */
  public static NodeError unavailable(String name) {
    return error("ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", name + " is not available in a transform");
  }

  public String type() {
    return type;
  }

  /** May be null. */
  public String code() {
    return code;
  }

  /** Further properties of the error object, in their order. */
  public SortedMap<String, String> extras() {
    return extras;
  }
}
