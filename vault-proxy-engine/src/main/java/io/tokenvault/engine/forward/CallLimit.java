package io.tokenvault.engine.forward;

import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okio.AsyncTimeout;

/** Cancels a call unless {@link #exit} comes in time. Started once. */
final class CallLimit extends AsyncTimeout {

  private final Call call;
  private volatile boolean expired;

  private CallLimit(Call call) {
    this.call = call;
  }

  static CallLimit start(Call call, int millis) {
    CallLimit limit = new CallLimit(call);
    limit.timeout(millis, TimeUnit.MILLISECONDS);
    limit.enter();
    return limit;
  }

  /** Whether it was this limit that ended the call. */
  boolean isExpired() {
    return expired;
  }

  @Override
  protected void timedOut() {
    expired = true;
    call.cancel();
  }
}
