package habemus.lockservice;

import habemus.lockservice.OperationResult.RejectionReason;
import java.util.Optional;

/**
 * How much the lock table may store. The quotas are part of the table, so every node refuses the same. What exists when
 * a quota is full or lowered is not affected: it is renewed, granted and released.
 *
 * @param total for all principals together
 * @param perPrincipal for each of them
 */
public record Quotas(Usage total, Usage perPrincipal) {

    public static final Quotas UNLIMITED = new Quotas(Usage.UNLIMITED, Usage.UNLIMITED);

    /** {@return the quota of all principals that is full, if they are to use this much} */
    public Optional<RejectionReason> fullInTotal(Usage next, Usage growth) {
        return isFull(next.sessions(), total.sessions(), growth.sessions())
                ? Optional.of(RejectionReason.SESSIONS_FULL)
                : isFull(next.names(), total.names(), growth.names())
                        ? Optional.of(RejectionReason.NAMES_FULL)
                        : isFull(next.waiters(), total.waiters(), growth.waiters())
                                ? Optional.of(RejectionReason.WAITERS_FULL)
                                : isFull(next.bytes(), total.bytes(), growth.bytes())
                                        ? Optional.of(RejectionReason.BYTES_FULL)
                                        : Optional.empty();
    }

    /** {@return the quota of a principal that is full, if it is to use this much} */
    public Optional<RejectionReason> fullForPrincipal(Usage next, Usage growth) {
        return isFull(next.sessions(), perPrincipal.sessions(), growth.sessions())
                ? Optional.of(RejectionReason.PRINCIPAL_SESSIONS_FULL)
                : isFull(next.names(), perPrincipal.names(), growth.names())
                        ? Optional.of(RejectionReason.PRINCIPAL_NAMES_FULL)
                        : isFull(next.waiters(), perPrincipal.waiters(), growth.waiters())
                                ? Optional.of(RejectionReason.PRINCIPAL_WAITERS_FULL)
                                : isFull(next.bytes(), perPrincipal.bytes(), growth.bytes())
                                        ? Optional.of(RejectionReason.PRINCIPAL_BYTES_FULL)
                                        : Optional.empty();
    }

    private static boolean isFull(long next, long limit, long growth) {
        return growth > 0 && next > limit;
    }
}
