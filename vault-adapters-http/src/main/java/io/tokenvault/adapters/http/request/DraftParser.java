package io.tokenvault.adapters.http.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Converts parts of requests to parts of drafts, in which any value may be null. */
final class DraftParser {

  private DraftParser() {}

  /** Converts each item of a list. A null list stays null, and so do null items. */
  static <A, B> List<B> each(List<A> parts, Function<A, B> mapping) {
    if (parts == null) {
      return null;
    }
    List<B> drafts = new ArrayList<>(parts.size());
    for (A part : parts) {
      drafts.add(part == null ? null : mapping.apply(part));
    }
    return drafts;
  }
}
