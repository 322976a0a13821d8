package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;

/** A validated line of an import, together with its evaluated expressions. */
public final class ImportLine {

  private final long number;
  private final TokenId id;
  private final TokenDraft.Valid draft;
  private final Evaluated evaluated;

  ImportLine(long number, TokenId id, TokenDraft.Valid draft, Evaluated evaluated) {
    this.number = number;
    this.id = id;
    this.draft = draft;
    this.evaluated = evaluated;
  }

  /** Returns the line number, from 1. */
  public long number() {
    return number;
  }

  TokenId id() {
    return id;
  }

  TokenDraft.Valid draft() {
    return draft;
  }

  Evaluated evaluated() {
    return evaluated;
  }
}
