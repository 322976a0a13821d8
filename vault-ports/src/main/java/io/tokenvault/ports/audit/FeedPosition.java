package io.tokenvault.ports.audit;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the log of all tenants, in the order in which entries were sealed: just after an
 * entry. What is sealed later comes later, so that who goes on from a position misses nothing.
 *
 * @param seal counts the seals of all tenants, with gaps
 * @param place of the entry in the seal, from 1; 0 before the first
 */
public record FeedPosition(long seal, int place) implements Comparable<FeedPosition> {

  /** Before everything. */
  public static final FeedPosition START = new FeedPosition(0, 0);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,9})");
  private static final Comparator<FeedPosition> ORDER =
      Comparator.comparingLong(FeedPosition::seal).thenComparingInt(FeedPosition::place);

  public FeedPosition {
    if (seal < 0 || place < 0) {
      throw new IllegalArgumentException("positions do not lie before the start");
    }
  }

  /** Empty for what {@link #toString} does not write. */
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

  /** The number of the seal, a dot, the place. */
  @Override
  public String toString() {
    return seal + "." + place;
  }
}
