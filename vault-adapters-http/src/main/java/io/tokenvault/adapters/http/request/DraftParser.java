package io.tokenvault.adapters.http.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Turns parts of requests into parts of drafts, in which any of them may be missing. */
final class DraftParser {

  private DraftParser() {}

  /** Keeps null where the list or an item is null. */
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
