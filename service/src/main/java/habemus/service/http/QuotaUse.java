package habemus.service.http;

import habemus.lockservice.table.LockTable;
import java.util.List;

/**
 * How much of a quota of the whole table is used.
 *
 * @param limit {@link Long#MAX_VALUE} if there is none
 */
record QuotaUse(String quota, long used, long limit) {

    static List<QuotaUse> of(LockTable table) {
        var used = table.usage().total();
        var limit = table.quotas().total();
        return List.of(
                new QuotaUse("sessions", used.sessions(), limit.sessions()),
                new QuotaUse("names", used.names(), limit.names()),
                new QuotaUse("waiters", used.waiters(), limit.waiters()),
                new QuotaUse("bytes", used.bytes(), limit.bytes()));
    }

    boolean isLimited() {
        return limit < Long.MAX_VALUE;
    }

    boolean isFull() {
        return used >= limit;
    }
}
