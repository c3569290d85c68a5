package habemus.client;

import habemus.lockservice.ResourceShare;
import java.util.List;

/**
 * Several locks and permits that are acquired together, all or none. So clients need no common lock order, and a
 * waiting request holds none of them.
 */
public final class MultiLock extends Acquirer {

    MultiLock(SessionDriver driver, List<ResourceShare> shares) {
        super(driver, shares);
    }
}
