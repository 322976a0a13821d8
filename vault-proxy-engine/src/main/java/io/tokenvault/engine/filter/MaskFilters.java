package io.tokenvault.engine.filter;

import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.util.BitSet;
import java.util.List;

/**
 * Filters that reveal a part of a value, in whole characters, or pad it. If {@code reveal} would
 * mask no character, it masks all of them.
 */
final class MaskFilters {

  /** Largest number of characters to reveal at each end. */
  private static final int MAX_SHOWN = 1 << 20;

  /** Largest width to pad to. */
  private static final int MAX_WIDTH = 10_000;

  private static final int LAST = 4;
  private static final String DASH = "-";

  private MaskFilters() {}

  static List<FilterDefinition> all() {
    return List.of(
        FilterDefinition.of("last4", Filter.text(MaskFilters::last4)).ofAnySize(),
        FilterDefinition.of("reveal", FilterSignature.of(2, "mask", "keep"), MaskFilters::reveal)
            .ofAnySize(),
        FilterDefinition.of("reveal_last", FilterSignature.of(1, "mask"), MaskFilters::revealLast)
            .ofAnySize(),
        FilterDefinition.of("pad_left", FilterSignature.of(2), arguments -> pad(arguments, true)),
        FilterDefinition.of(
            "pad_right", FilterSignature.of(2), arguments -> pad(arguments, false)));
  }

  /** Returns the last four characters, or only placeholders for a text that is not longer. */
  private static String last4(String text) {
    int length = TextValues.length(text);
    return length > LAST ? TextValues.cut(text, length - LAST, length) : "X".repeat(length);
  }

  /** Returns a step that reveals characters at both ends, and certain characters everywhere. */
  private static Filter.Step reveal(FilterArguments arguments) {
    int first = arguments.integer(0, 0, MAX_SHOWN);
    int last = arguments.integer(1, 0, MAX_SHOWN);
    int mask = arguments.character(2, 'X');
    String keep = arguments.text(3, "");
    return Filter.text(text -> masked(text, first, last, mask, keep));
  }

  /** Returns a step that reveals the last characters, and dashes everywhere. */
  private static Filter.Step revealLast(FilterArguments arguments) {
    int last = arguments.integer(0, 0, MAX_SHOWN);
    int mask = arguments.character(1, 'X');
    return Filter.text(text -> masked(text, 0, last, mask, DASH));
  }

  /** Masks the characters between both ends, or all characters if that would mask none. */
  private static String masked(String text, int first, int last, int mask, String keep) {
    int[] characters = text.codePoints().toArray();
    BitSet kept = keep.codePoints().collect(BitSet::new, BitSet::set, BitSet::or);
    int hidden = 0;
    int[] result = characters.clone();
    for (int i = first; i < characters.length - last; i++) {
      if (!kept.get(characters[i])) {
        result[i] = mask;
        hidden++;
      }
    }
    return hidden > 0
        ? new String(result, 0, result.length)
        : Character.toString(mask).repeat(characters.length);
  }

  /** Returns a step that pads a text to a width. */
  private static Filter.Step pad(FilterArguments arguments, boolean left) {
    int width = arguments.integer(0, 0, MAX_WIDTH);
    String filling = Character.toString(arguments.character(1, ' '));
    return Filter.text(
        text -> {
          String padding = filling.repeat(Math.max(0, width - TextValues.length(text)));
          return left ? padding + text : text + padding;
        });
  }
}
