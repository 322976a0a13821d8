package io.tokenvault.engine.expression;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Watches a multipart body: each textual part in its own syntax, binary parts not at all. Where it
 * is malformed all of it counts.
 */
final class WatchedParts implements WatchedBytes, MultipartLexer.Parts {

  private final MultipartLexer lexer;
  private final int depth;
  private final WatchedBytes outside =
      new WatchedText(StandardCharsets.ISO_8859_1, new TextWatch());
  private Optional<WatchedBytes> part = Optional.empty();
  private boolean seenOutside;
  private boolean seen;

  /**
   * @param depth how many multipart bodies the parts are inside
   */
  WatchedParts(String boundary, int depth) {
    this.lexer = new MultipartLexer(boundary, this);
    this.depth = depth;
  }

  @Override
  public boolean see(byte[] bytes, int offset, int length) {
    lexer.feed(bytes, offset, length);
    return seen;
  }

  /** The same for a whole body that is malformed. */
  boolean seesWhole(byte[] body) {
    return see(body, 0, body.length) || (lexer.hasNoPart() && seenOutside);
  }

  @Override
  public void preamble(byte[] bytes, int offset, int length) {
    seenOutside |= outside.see(bytes, offset, length);
  }

  @Override
  public void begin(PartHeaders headers, long start) {
    part = headers.kind(depth).map(TextualBody::watch);
  }

  @Override
  public void content(byte[] bytes, int offset, int length) {
    seen = seen || part.filter(each -> each.see(bytes, offset, length)).isPresent();
  }

  @Override
  public void end(long end) {
    part = Optional.empty();
  }

  @Override
  public void malformed(byte[] bytes, int offset, int length) {
    seen = seen || seenOutside || outside.see(bytes, offset, length);
  }
}
