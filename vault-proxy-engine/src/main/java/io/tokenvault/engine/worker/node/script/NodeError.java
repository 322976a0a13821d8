package io.tokenvault.engine.worker.node.script;

import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Failure with the message of Node.js that becomes an error object of the script's realm.
 *
 * <p>{@code ByteRealm} converts it at the end of a call, so that scripts receive an error of their
 * realm and no Java object. The code becomes the property {@code code}.
 */
public final class NodeError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final SortedMap<String, String> NONE = Collections.emptySortedMap();

  private final String type;

  /** The value of the property {@code code}; may be null. */
  private final String code;

  private final transient SortedMap<String, String> extras;

  /** The function of the script {@code inspect} that describes {@link #value}; null for none. */
  private final String description;

  private final transient Object value;

  private NodeError(String type, String code, String message, SortedMap<String, String> extras) {
    super(message, null, false, false);
    this.type = type;
    this.code = code;
    this.extras = extras;
    this.description = null;
    this.value = null;
  }

  /** Creates an error whose message ends with the description of the value that was received. */
  private NodeError(String type, String code, String message, String description, Object value) {
    super(message + ". Received ", null, false, false);
    this.type = type;
    this.code = code;
    this.extras = NONE;
    this.description = description;
    this.value = value;
  }

  /** Returns an {@code Error}. */
  public static NodeError error(String code, String message) {
    return new NodeError("Error", code, message, NONE);
  }

  /** Returns a {@code TypeError}. */
  public static NodeError type(String code, String message) {
    return new NodeError("TypeError", code, message, NONE);
  }

  /** Returns a {@code RangeError}. */
  public static NodeError range(String code, String message) {
    return new NodeError("RangeError", code, message, NONE);
  }

  /** Returns an error of OpenSSL with the code that Node.js derives from the reason. */
  public static NodeError openSsl(String number, String library, String reason) {
    String code = "ERR_OSSL_" + reason.replace(' ', '_').toUpperCase(Locale.ROOT);
    return openSsl(number, library, reason, code);
  }

  /**
   * Returns an error of OpenSSL.
   *
   * @param number the packed error number in hexadecimal
   * @param library the part of OpenSSL that failed
   * @param reason the message
   * @param code the value of the property {@code code}
   */
  public static NodeError openSsl(String number, String library, String reason, String code) {
    String message = "error:" + number + ":" + library + "::" + reason;
    SortedMap<String, String> extras = new TreeMap<>();
    extras.put("library", library);
    extras.put("reason", reason);
    return new NodeError("Error", code, message, extras);
  }

  /**
   * Returns the error for an argument of the wrong type.
   *
   * @param expected the expected types in the wording of Node.js, as in {@code of type string or an
   *     instance of Buffer}
   * @param value the value that was received
   */
  public static NodeError argument(String name, String expected, Object value) {
    return wrongType("\"" + name + "\" argument", expected, value);
  }

  /** Returns the error for a property of the wrong type; see {@link #argument}. */
  public static NodeError property(String name, String expected, Object value) {
    return wrongType("\"" + name + "\" property", expected, value);
  }

  /** Returns the error for a first argument of the wrong type, which Node.js does not name. */
  public static NodeError firstArgument(String expected, Object value) {
    return wrongType("first argument", expected, value);
  }

  private static NodeError wrongType(String what, String expected, Object value) {
    String message = "The " + what + " must be " + expected;
    return new NodeError("TypeError", "ERR_INVALID_ARG_TYPE", message, "received", value);
  }

  public static NodeError value(String name, Object value) {
    return wrongValue("The argument '" + name + "' is invalid", value);
  }

  public static NodeError option(String name, Object value) {
    return wrongValue("The property 'options." + name + "' is invalid", value);
  }

  /** Returns the error for a value of the right type that is not valid. */
  public static NodeError wrongValue(String message, Object value) {
    return new NodeError("TypeError", "ERR_INVALID_ARG_VALUE", message, "receivedValue", value);
  }

  /**
   * Returns the error for a number that is out of range.
   *
   * @param range the valid range in the wording of Node.js, as in {@code >= 0 and <= 7}
   */
  public static NodeError outOfRange(String name, String range, Object value) {
    String message = "The value of \"" + name + "\" is out of range. It must be " + range;
    return new NodeError("RangeError", "ERR_OUT_OF_RANGE", message, "receivedNumber", value);
  }

  public static NodeError outOfBounds() {
    return range("ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
  }

  public static NodeError outOfBounds(String name) {
    return range("ERR_BUFFER_OUT_OF_BOUNDS", "\"" + name + "\" is outside of buffer bounds");
  }

  /** Returns the error for the name of an encoding that does not exist. */
  public static NodeError unknownEncoding(String name) {
    return type("ERR_UNKNOWN_ENCODING", "Unknown encoding: " + name);
  }

  /** Returns the error for a method that was called in the wrong order. */
  public static NodeError invalidState(String message) {
    return error("ERR_CRYPTO_INVALID_STATE", message);
  }

  /** Returns the error for a feature of Node.js that transforms do not have. */
  public static NodeError unavailable(String name) {
    return error("ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", name + " is not available in a transform");
  }

  public String type() {
    return type;
  }

  /**
   * Returns the message.
   *
   * @param describe returns the description of a value by a function of the script {@code inspect}
   */
  public String message(BiFunction<String, Object, Object> describe) {
    return description == null ? getMessage() : getMessage() + describe.apply(description, value);
  }

  /** Returns the error code; may be null. */
  public String code() {
    return code;
  }

  public SortedMap<String, String> extras() {
    return extras;
  }
}
