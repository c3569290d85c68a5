package habemus.service.algorithm;

import java.util.List;

/**
 * What one node knows of one group.
 *
 * @param holder the client of this node that holds the lock, or acts as leader; none, or one
 * @param fence of its grant, or the term in which it leads
 * @param waiting the clients of this node that wait, in order
 * @param leader whom the node names as leader: the number of a node, zero if nobody
 */
public record GroupStatus(
        GroupId group, String algorithm, List<Client> holder, long fence, List<Client> waiting, int leader, long term) {

    /** @param sinceMillis when it has waited, or held: milliseconds of the wall clock */
    public record Client(String name, long sinceMillis) {}
}
