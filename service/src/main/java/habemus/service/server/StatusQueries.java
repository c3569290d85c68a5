package habemus.service.server;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.table.LockTable;
import java.util.List;

/** What clients see of the table, cut to what fits into a frame. */
final class StatusQueries {

    /** Of one list: of those who share a lock, of a line, of a history. */
    private static final int MAX_LIST_SIZE = 500;

    private StatusQueries() {}

    static ClientFrame.Description describe(long number, ResourceName resourceName, LockTable lockTable) {
        var all = lockTable.describe(resourceName);
        return new ClientFrame.Description(
                number,
                new ResourceStatus(
                        resourceName,
                        all.size(),
                        truncate(all.holders()),
                        truncate(all.waiters()),
                        truncate(all.history())));
    }

    static ClientFrame.DeadlockList deadlocks(long number, LockTable lockTable) {
        return new ClientFrame.DeadlockList(number, truncate(lockTable.deadlocks()));
    }

    private static <T> List<T> truncate(List<T> all) {
        return all.subList(0, Math.min(all.size(), MAX_LIST_SIZE));
    }
}
