package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.EntryPlace;
import io.tokenvault.domain.audit.MonthDrop;
import io.tokenvault.ports.usecase.LogFinding.Kind;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What may be missing: as many entries of a dropped month as it had when it was dropped. */
final class DroppedMonths {

  private final Map<YearMonth, Long> left = new HashMap<>();

  /**
   * @param drop one that the vault wrote
   */
  void add(MonthDrop drop) {
    left.merge(drop.month(), drop.entries(), Math::min);
  }

  /**
   * To be told of each sealed entry that is not there.
   *
   * @param areAllRead whether the entries of all tenants are, so that they can be counted
   */
  Optional<Kind> missing(EntryPlace place, boolean areAllRead) {
    YearMonth month = MonthDrop.monthOf(place);
    if (!left.containsKey(month)) {
      return Optional.of(Kind.ENTRY_MISSING);
    }
    boolean isFirstTooMany = areAllRead && left.merge(month, -1L, Long::sum) == -1;
    return isFirstTooMany ? Optional.of(Kind.DROP_CONTRADICTED) : Optional.empty();
  }
}
