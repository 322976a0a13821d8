package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.response.JsonRenderer.JsonTextWriter;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tokenizes a JSON value of any structure: finds the parts that are replaced by tokens, which are
 * strings and objects with both {@code type} and {@code data}, and writes the value with the tokens
 * in their place.
 *
 * <p>Numbers, booleans and nulls stay as they are. Finding and writing visit a value in one order.
 * For one value; not thread-safe.
 */
public final class Tokenization {

  private final Violations violations;
  private final List<TokenDraft> drafts = new ArrayList<>();
  private final List<String> paths = new ArrayList<>();

  private Tokenization(Violations violations) {
    this.violations = violations;
  }

  /**
   * Finds the drafts of all tokens in a value.
   *
   * @param violations collects what is wrong with token objects, under their paths
   * @throws RefusedException if there are more than {@link CreateTokens#MAX_TOKENS}
   */
  public static Tokenization of(JsonValue value, Violations violations) {
    Tokenization found = new Tokenization(violations);
    found.find(value, Place.WHOLE);
    return found;
  }

  /** Returns the drafts in the order of their appearance. */
  public List<TokenDraft> drafts() {
    return drafts;
  }

  /** Returns the path of each draft. */
  public List<String> paths() {
    return paths;
  }

  /**
   * Returns a writer of the value with tokens in the places of the drafts: the id in place of a
   * string, the whole token in place of an object.
   *
   * @param created the tokens, in the order of their drafts
   */
  static Consumer<JsonTextWriter> result(JsonValue value, List<CreatedToken> created) {
    return text -> {
      Iterator<TokenView> tokens = created.stream().map(CreatedToken::view).iterator();
      write(value, tokens, text);
    };
  }

  /** Writes a value and everything inside it. Each draft consumes the next token. */
  private static void write(JsonValue value, Iterator<TokenView> tokens, JsonTextWriter text) {
    if (value instanceof JsonString) {
      text.value(JsonValue.of(tokens.next().token().id().value()));
    } else if (value instanceof JsonObject object && isToken(object)) {
      text.object(json -> TokenRoutes.render(tokens.next(), json));
    } else if (value instanceof JsonObject object) {
      text.object(
          json ->
              object
                  .properties()
                  .forEach((name, each) -> json.property(name, () -> write(each, tokens, text))));
    } else if (value instanceof JsonArray array) {
      text.array(array.items(), each -> write(each, tokens, text));
    } else {
      text.value(value);
    }
  }

  /** Returns whether an object is replaced by a token as a whole. */
  private static boolean isToken(JsonObject object) {
    return object.properties().containsKey("type") && object.properties().containsKey("data");
  }

  /**
   * Adds the drafts of a value and everything inside it. Stops when no more violations are
   * collected.
   */
  private void find(JsonValue value, Place place) {
    if (violations.isFull()) {
      return;
    }
    if (value instanceof JsonString) {
      add(place.path(), ofType(TokenType.TOKEN, value));
    } else if (value instanceof JsonObject object && isToken(object)) {
      String path = place.path();
      add(path, read(object, path));
    } else if (value instanceof JsonObject object) {
      object.properties().forEach((name, property) -> find(property, new Place(place, name, 0)));
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.items().size(); i++) {
        find(array.items().get(i), new Place(place, null, i));
      }
    }
  }

  private void add(String path, TokenDraft draft) {
    if (drafts.size() == CreateTokens.MAX_TOKENS) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS,
          "A request may create at most " + CreateTokens.MAX_TOKENS + " tokens.");
    }
    drafts.add(draft);
    paths.add(path);
  }

  /** Reads a token object as the body of {@code POST /tokens} would be read. */
  private TokenDraft read(JsonObject object, String path) {
    Violations found = new Violations();
    TokenDraft draft = TokenRoutes.read(JsonFields.of(object, found));
    violations.addAll(path, found);
    return draft;
  }

  /** Returns the draft of a token with defaults for all other properties. */
  private static TokenDraft ofType(TokenType type, JsonValue data) {
    return new TokenDraft(null, type.value(), data, null, null, null, null, null, null, null);
  }

  /**
   * The position of a value. Its path is built on demand, since most values need none.
   *
   * @param name the name of a property; null for an array item
   */
  private record Place(Place parent, String name, int index) {

    static final Place WHOLE = new Place(null, null, 0);

    String path() {
      StringBuilder path = new StringBuilder();
      addTo(path);
      return path.toString();
    }

    private void addTo(StringBuilder path) {
      if (parent == null) {
        return;
      }
      parent.addTo(path);
      if (name == null) {
        path.append('[').append(index).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(ShownName.inPath(name));
      }
    }
  }
}
