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
 * Finds what is to become a token in a JSON value: objects that have a type and data, and strings.
 * {@link TokenizedJsonWriter} goes the same way.
 */
public final class TokenDraftFinder {

  private final RequestValidator shapes;
  private final Violations violations;
  private final List<TokenDraftItem> drafts = new ArrayList<>();

  /**
   * @param violations takes what is wrong with the shape of token objects
   */
  public TokenDraftFinder(RequestValidator shapes, Violations violations) {
    this.shapes = shapes;
    this.violations = violations;
  }

  /**
   * @throws RefusedException if there are more than one call may make
   */
  public List<TokenDraftItem> of(JsonValue value) {
    find(value, Place.WHOLE);
    return drafts;
  }

  /** Whether this becomes one token. */
  static boolean isToken(JsonObject object) {
    return object.members().containsKey("type") && object.members().containsKey("data");
  }

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

  private TokenDraft read(JsonObject object, String path) {
    Violations found = new Violations();
    TokenRequest request = shapes.read(object, TokenRequest::read, found);
    violations.addAll(path, found);
    return request.toDraft();
  }

  private static TokenDraft ofType(TokenType type, JsonValue data) {
    return new TokenDraft(null, type.value(), data, null, null, null, null, null, null, null);
  }

  /**
   * Where a value is, whose path is put together only if it is needed: of many values it is not.
   *
   * @param name of the member; null for an item
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
