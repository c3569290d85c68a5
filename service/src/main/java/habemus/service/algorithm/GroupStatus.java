package habemus.service.algorithm;

import java.util.List;

/**
 * The status of a group at one node.
 *
 * @param holder the client of this node that holds the lock or acts as leader; empty, or one element
 * @param fence of the grant, or the term of the leader
 * @param waiting clients of this node, in the order of the queue
 * @param leader number of the node that this node names as leader; zero for none
 */
public record GroupStatus(
        GroupId group, String algorithm, List<Client> holder, long fence, List<Client> waiting, int leader, long term) {

    /** @param sinceMillis since when it waits or holds, in milliseconds of the wall clock */
    public record Client(String name, long sinceMillis) {}
}
