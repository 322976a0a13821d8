package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;

/** A validated line of an import, together with its evaluated expressions. */
public final class ImportLine {

  private final long number;
  private final TokenId id;
  private final TokenDraft draft;
  private final TokenSettings settings;
  private final Evaluated evaluated;

  ImportLine(
      long number, TokenId id, TokenDraft draft, TokenSettings settings, Evaluated evaluated) {
    this.number = number;
    this.id = id;
    this.draft = draft;
    this.settings = settings;
    this.evaluated = evaluated;
  }

  /** Returns the line number, from 1. */
  public long number() {
    return number;
  }

  TokenId id() {
    return id;
  }

  TokenDraft draft() {
    return draft;
  }

  TokenSettings settings() {
    return settings;
  }

  Evaluated evaluated() {
    return evaluated;
  }
}
