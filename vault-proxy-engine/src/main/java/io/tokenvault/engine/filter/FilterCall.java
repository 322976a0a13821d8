package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A filter as it is written in an expression.
 *
 * @param place position among the filters of its expression, from 1
 * @param arguments positional arguments, which precede the named ones
 * @param named arguments by name, in their order
 */
record FilterCall(int place, String name, List<Argument> arguments, Map<String, Argument> named) {

  /** Largest number of filters in an expression. */
  private static final int MAX_CALLS = 20;

  /** An argument: a literal or a name. */
  sealed interface Argument {

    /** Returns the value; a name is resolved by a function. */
    JsonValue value(Function<ObjectPath, JsonValue> names);
  }

  private record Literal(JsonValue value) implements Argument {
    @Override
    public JsonValue value(Function<ObjectPath, JsonValue> names) {
      return value;
    }
  }

  private record Named(ObjectPath name) implements Argument {
    @Override
    public JsonValue value(Function<ObjectPath, JsonValue> names) {
      return names.apply(name);
    }
  }

  /** Returns the arguments by position; a name is resolved by a function. */
  FilterArguments arguments(FilterSignature signature, Function<ObjectPath, JsonValue> names) {
    Map<String, JsonValue> values = new LinkedHashMap<>();
    named.forEach((name, argument) -> values.put(name, argument.value(names)));
    return signature.arrange(
        arguments.stream().map(argument -> argument.value(names)).toList(), values);
  }

  /** Returns a failure whose message names this filter. */
  ExpressionException failure(String message) {
    return new ExpressionException("filter " + place + " (" + name + ") " + message);
  }

  boolean isLiteral() {
    return Stream.concat(arguments.stream(), named.values().stream())
        .allMatch(Literal.class::isInstance);
  }

  /**
   * Parses filters from the first bar on.
   *
   * @throws ExpressionException if the text is not a chain of filters, or has more than 20
   */
  static List<FilterCall> read(String text) {
    List<FilterCall> calls = new ArrayList<>();
    TextCursor cursor = new TextCursor(text);
    while (cursor.takeNext('|')) {
      if (calls.size() == MAX_CALLS) {
        throw new ExpressionException("an expression may have at most " + MAX_CALLS + " filters");
      }
      calls.add(readOne(cursor, calls.size() + 1));
    }
    cursor.skipSpace();
    if (!cursor.atEnd()) {
      throw new ExpressionException("filter " + calls.size() + " has unexpected text after it");
    }
    return calls;
  }

  /** Parses the name and the arguments of one filter. */
  private static FilterCall readOne(TextCursor cursor, int place) {
    cursor.skipSpace();
    String name = word(cursor);
    if (name.isEmpty()) {
      throw new ExpressionException("filter " + place + " has no name");
    }
    FilterCall call = new FilterCall(place, name, new ArrayList<>(), new LinkedHashMap<>());
    if (cursor.takeNext(':')) {
      do {
        call.readArgument(cursor);
      } while (cursor.takeNext(','));
    }
    return call;
  }

  /** Reads a name of ASCII letters, digits and underscores; empty if there is none. */
  private static String word(TextCursor cursor) {
    return Character.isLetter(cursor.peek())
        ? cursor.takeWhile(each -> each < 0x80 && (Character.isLetterOrDigit(each) || each == '_'))
        : "";
  }

  /** Parses an argument, which has a name if a word and an equals sign or colon precede it. */
  private void readArgument(TextCursor cursor) {
    cursor.skipSpace();
    int start = cursor.position();
    String word = word(cursor);
    if (!word.isEmpty() && (cursor.takeNext('=') || cursor.take(':'))) {
      cursor.skipSpace();
      if (named.putIfAbsent(word, readValue(cursor)) != null) {
        throw new ExpressionException("filter " + place + " has an argument twice");
      }
      return;
    }
    cursor.back(start);
    if (!named.isEmpty()) {
      throw new ExpressionException("filter " + place + " has arguments after those with names");
    }
    arguments.add(readValue(cursor));
  }

  /** Parses a quoted string, a number, a keyword or a name. */
  private Argument readValue(TextCursor cursor) {
    char first = cursor.peek();
    if (first == '\'' || first == '"') {
      return new Literal(JsonValue.of(cursor.quoted()));
    }
    if (first == '-' || (first >= '0' && first <= '9')) {
      return new Literal(number(cursor));
    }
    int start = cursor.position();
    String word = word(cursor);
    if (cursor.peek() != '.' && cursor.peek() != '[' && cursor.peek() != '-') {
      switch (word) {
        case "true":
          return new Literal(JsonValue.of(true));
        case "false":
          return new Literal(JsonValue.of(false));
        case "nil", "null":
          return new Literal(JsonNull.NULL);
        case "":
          throw new ExpressionException("filter " + place + " lacks an argument");
        default:
          break;
      }
    }
    cursor.back(start);
    return new Named(ObjectPath.read(cursor));
  }

  private JsonValue number(TextCursor cursor) {
    String literal = cursor.takeWhile(each -> "+-.0123456789eE".indexOf(each) >= 0);
    try {
      return new JsonNumber(literal);
    } catch (IllegalArgumentException malformed) {
      throw new ExpressionException("filter " + place + " has a malformed number");
    }
  }
}
