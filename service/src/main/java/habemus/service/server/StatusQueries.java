package habemus.service.server;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.table.LockTable;
import java.util.List;

/** Answers queries of clients from the lock table. Truncates long lists, so that the answer fits into a frame. */
final class StatusQueries {

    private static final int MAX_LIST_SIZE = 500;

    private StatusQueries() {}

    static ClientFrame.Description describe(long number, ResourceName resourceName, LockTable lockTable) {
        var status = lockTable.describe(resourceName);
        return new ClientFrame.Description(
                number,
                new ResourceStatus(
                        resourceName,
                        status.size(),
                        truncate(status.holders()),
                        truncate(status.waiters()),
                        truncate(status.history())));
    }

    static ClientFrame.DeadlockList deadlocks(long number, LockTable lockTable) {
        return new ClientFrame.DeadlockList(number, truncate(lockTable.deadlocks()));
    }

    private static <T> List<T> truncate(List<T> all) {
        return all.subList(0, Math.min(all.size(), MAX_LIST_SIZE));
    }
}
