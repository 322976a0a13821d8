package io.tokenvault.engine.expression;

/** How the data of a token is written where its expression stood. */
@FunctionalInterface
interface Place {

  /** The token's text as it is. */
  Place TEXT = TokenValues::text;

  String write(TokenValues values, String tokenId);
}
