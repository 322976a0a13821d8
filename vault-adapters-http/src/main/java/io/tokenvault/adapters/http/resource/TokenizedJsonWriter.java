package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.json.JsonTextWriter;
import io.tokenvault.adapters.http.json.JsonTextWriter.Members;
import io.tokenvault.adapters.http.response.TokenJson;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import java.util.Iterator;
import java.util.List;

/**
 * Writes a JSON value with tokens in the places where {@link TokenDraftFinder} found drafts: the id
 * in place of a string, the whole token in place of an object.
 */
final class TokenizedJsonWriter {

  private final JsonTextWriter text;
  private final Iterator<CreatedToken> created;

  /**
   * Creates a writer for one value.
   *
   * @param created the tokens, in the order of their drafts
   */
  TokenizedJsonWriter(JsonTextWriter text, List<CreatedToken> created) {
    this.text = text;
    this.created = created.iterator();
  }

  /** Writes a value and everything inside it. Each draft consumes the next token. */
  void write(JsonValue value) {
    if (value instanceof JsonString) {
      text.value(JsonValue.of(next().token().id().value()));
    } else if (value instanceof JsonObject object && TokenDraftFinder.isToken(object)) {
      text.object(members -> TokenJson.token(next(), members));
    } else if (value instanceof JsonObject object) {
      text.object(members -> writeEach(object, members));
    } else if (value instanceof JsonArray array) {
      text.items(array.items(), this::write);
    } else {
      text.value(value);
    }
  }

  private void writeEach(JsonObject object, Members members) {
    object.members().forEach((name, member) -> members.member(name, () -> write(member)));
  }

  private TokenView next() {
    return created.next().view();
  }
}
