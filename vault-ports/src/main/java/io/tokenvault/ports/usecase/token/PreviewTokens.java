package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.Decided;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Previews the tokens that an application could use at a destination, with masks at most. */
public final class PreviewTokens {

  private final TokenDecryptor tokenDecryptor;

  public PreviewTokens(TokenDecryptor tokenDecryptor) {
    this.tokenDecryptor = tokenDecryptor;
  }

  /**
   * Returns a preview for each existing token; others are absent.
   *
   * @param caller the caller who receives the preview, and whose read of the masks is recorded
   * @param user the application that would use the tokens
   * @param reservation the memory reservation for the tokens and their masks
   */
  public Map<String, TokenPreview> preview(
      Caller caller,
      Caller user,
      Set<String> ids,
      Delivery delivery,
      MemoryReservation reservation) {
    AttemptReservation need = AttemptReservation.toShow(reservation);
    return tokenDecryptor
        .attempts()
        .decideOnCurrent(
            user,
            TokenDecryptor.possible(ids),
            need,
            (present, loaded) -> previewing(caller, present, loaded, delivery, need));
  }

  private Decided<Map<String, TokenPreview>> previewing(
      Caller caller,
      Caller present,
      LookupResult loaded,
      Delivery delivery,
      MemoryReservation reservation) {
    List<StoredToken> usable =
        loaded.tokens().values().stream()
            .filter(stored -> TokenDecisions.mayUse(present, stored.token()))
            .toList();
    return new Decided<>(
        usable.stream().map(stored -> TokenDecisions.maskEntry(caller, stored.token())).toList(),
        present.versionsWithKeys().with(usable.stream().map(StoredToken::token).toList()),
        () -> previews(present, loaded, delivery, reservation));
  }

  private Map<String, TokenPreview> previews(
      Caller user, LookupResult loaded, Delivery delivery, MemoryReservation reservation) {
    Map<String, TokenPreview> previews = new LinkedHashMap<>();
    loaded
        .tokens()
        .forEach(
            (id, stored) -> previews.put(id.value(), preview(user, stored, delivery, reservation)));
    return previews;
  }

  private TokenPreview preview(
      Caller user, StoredToken stored, Delivery delivery, MemoryReservation reservation) {
    boolean usable = TokenDecisions.mayUse(user, stored.token());
    return new TokenPreview(
        usable,
        user.egress().allows(stored.token().traits(), delivery),
        usable
            ? tokenDecryptor.view(user, stored, AccessTransform.MASK, reservation).data()
            : Optional.empty());
  }

  /**
   * The part of a token that an invocation would receive.
   *
   * @param usable whether the invoker has {@code token:use} on it
   * @param deliverable whether the egress policy allows it at the destination
   * @param mask the mask of its data as JSON in UTF-8; empty if the token is not usable or has no
   *     mask
   */
  public record TokenPreview(boolean usable, boolean deliverable, Optional<SensitiveValue> mask) {
    public TokenPreview {
      Objects.requireNonNull(mask, "mask");
    }

    /** Returns the flags without the mask, which shows some of the data. */
    @Override
    public String toString() {
      return "TokenPreview[usable=" + usable + ", deliverable=" + deliverable + "]";
    }
  }
}
