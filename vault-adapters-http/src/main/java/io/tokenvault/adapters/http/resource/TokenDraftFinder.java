package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.request.RequestValidator;
import io.tokenvault.adapters.http.request.TokenRequest;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.TokenDraftItem;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the parts of a JSON value that tokenization replaces by tokens: strings, and objects with
 * both {@code type} and {@code data}.
 *
 * <p>Numbers, booleans and nulls stay as they are. {@link TokenizedJsonWriter} visits a value in
 * the same order. For one value; not thread-safe.
 */
public final class TokenDraftFinder {

  private final RequestValidator shapes;
  private final Violations violations;
  private final List<TokenDraftItem> drafts = new ArrayList<>();

  /**
   * Creates a finder.
   *
   * @param shapes checks the constraints of token objects
   * @param violations collects what is wrong with token objects, under their paths
   */
  public TokenDraftFinder(RequestValidator shapes, Violations violations) {
    this.shapes = shapes;
    this.violations = violations;
  }

  /**
   * Returns the drafts of all tokens in a value, in the order of their appearance.
   *
   * @throws RefusedException if there are more than {@link CreateTokens#MAX_TOKENS}
   */
  public List<TokenDraftItem> of(JsonValue value) {
    find(value, Place.WHOLE);
    return drafts;
  }

  /** Returns whether an object is replaced by a token as a whole. */
  static boolean isToken(JsonObject object) {
    return object.members().containsKey("type") && object.members().containsKey("data");
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
      object.members().forEach((name, member) -> find(member, new Place(place, name, 0)));
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
          "A request may make at most " + CreateTokens.MAX_TOKENS + " tokens.");
    }
    drafts.add(new TokenDraftItem(path, draft));
  }

  /** Reads a token object as the body of {@code POST /tokens} would be read. */
  private TokenDraft read(JsonObject object, String path) {
    Violations found = new Violations();
    TokenRequest request = shapes.read(object, TokenRequest::read, found);
    violations.addAll(path, found);
    return request.toDraft();
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
