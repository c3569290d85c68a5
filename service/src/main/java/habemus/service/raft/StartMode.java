package habemus.service.raft;

/** What a node may do with an empty data folder. A folder with data ignores it. */
public enum StartMode {
    /** Nothing: the node refuses to start. */
    EXISTING,
    /** Form a new cluster, together with all members of the list. */
    BOOTSTRAP,
    /** Join a cluster that exists. */
    JOIN
}
