package io.tokenvault.ports.audit;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in the log of all tenants, in the order in which entries were chained, directly after
 * an entry. Entries that are chained later have greater positions, so that a reader that continues
 * from a position misses none.
 *
 * @param chainLink counts the chain links of all tenants, with gaps
 * @param place the place of the entry in the link, from 1; 0 before the first
 */
public record FeedPosition(long chainLink, int place) implements Comparable<FeedPosition> {

  /** The position before the first entry. */
  public static final FeedPosition START = new FeedPosition(0, 0);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,9})");
  private static final Comparator<FeedPosition> ORDER =
      Comparator.comparingLong(FeedPosition::chainLink).thenComparingInt(FeedPosition::place);

  public FeedPosition {
    if (chainLink < 0 || place < 0) {
      throw new IllegalArgumentException("positions do not lie before the start");
    }
  }

  /** Parses a position that {@link #toString} wrote; empty for any other string. */
  public static Optional<FeedPosition> read(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new FeedPosition(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  @Override
  public int compareTo(FeedPosition other) {
    return ORDER.compare(this, other);
  }

  /** Returns the number of the link and the place, separated by a dot. */
  @Override
  public String toString() {
    return chainLink + "." + place;
  }
}
