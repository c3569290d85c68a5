package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.OperationResult;
import habemus.lockservice.Usage;

/**
 * Estimates how many bytes of memory the table needs for what it stores. An estimate depends on nothing but the stored
 * values, so it is the same on every node. It is a little higher than what a JVM with compressed references needs.
 */
final class StorageCosts {

    private static final long SESSION_BYTES = 800;
    private static final long SHARE_BYTES = 500;
    private static final long RESULT_BYTES = 120;
    private static final long HOLDER_BYTES = 60;

    private StorageCosts() {}

    static Usage session(ClientInfo client) {
        int characters = client.name().length()
                + client.host().length()
                + client.owner().length()
                + client.principal().length();
        return new Usage(1, 0, 0, SESSION_BYTES + 2L * characters);
    }

    /** Names are not counted here, because several requests may use the same. */
    static Usage acquire(AcquireState state) {
        long bytes = state.shares().stream()
                .mapToLong(share -> SHARE_BYTES + 2L * share.name().text().length())
                .sum();
        return new Usage(
                0, 0, state instanceof AcquireState.Waiting ? state.shares().size() : 0, bytes);
    }

    static Usage result(OperationResult result) {
        long more = switch (result) {
            case OperationResult.Busy(var holders) -> HOLDER_BYTES * holders.size();
            case OperationResult.Revoked(var operator, var reason) -> 2L * (operator.length() + reason.length());
            case OperationResult other -> 0;
        };
        return new Usage(0, 0, 0, RESULT_BYTES + more);
    }
}
