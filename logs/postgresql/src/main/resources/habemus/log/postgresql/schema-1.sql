-- The tables of the replicated log of Habemus, version 1. One set of them in each schema, for one cluster.

-- One row: the head of the log. Its lock orders the appends: the order of commits is the order of the indexes.
CREATE TABLE habemus_head (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    cluster     text   NOT NULL,
    cluster_id  text   NOT NULL,
    epoch       bigint NOT NULL,          -- grows whenever the leadership changes
    leader      int    NOT NULL,
    leader_life bigint NOT NULL,          -- 0: the leader has resigned
    last        bigint NOT NULL,          -- index of the last entry
    chain       bigint NOT NULL,          -- the salts of all rows, combined
    bytes       bigint NOT NULL           -- of the rows after the snapshot
) WITH (fillfactor = 10);

-- The nodes that have started.
CREATE TABLE habemus_node (
    node            int PRIMARY KEY,
    life            bigint NOT NULL,      -- a random number of the start of the node
    address         text   NOT NULL,
    beat            bigint NOT NULL,
    number          bigint NOT NULL,      -- of the last batch of this life that was appended,
    committed       bigint NOT NULL,      -- the index that it got,
    committed_chain bigint NOT NULL       -- and its chain: the answer, if a commit has to be asked for again
) WITH (fillfactor = 10);

-- A batch of entries is one row.
CREATE TABLE habemus_entry (
    index   bigint PRIMARY KEY,           -- of its last entry
    salt    bigint NOT NULL,
    chain   bigint NOT NULL,
    content bytea  NOT NULL,
    at      timestamptz NOT NULL DEFAULT now()
);

-- The state after an entry. It replaces all rows up to that entry. Rows of the last minute stay: a node that has seen
-- others finds out.
CREATE TABLE habemus_snapshot (
    index bigint PRIMARY KEY,
    chain bigint NOT NULL,
    state bytea  NOT NULL
);

-- Appends a batch, once. Outcome 0: committed at this position. 1: not appended, the current epoch is in the position.
-- 2: not appended, another process has the name of the node. One statement, so that no client holds the lock of the head
-- while it waits for the network.
CREATE FUNCTION habemus_append(
    my_node int, my_life bigint, my_number bigint, my_epoch bigint, entries int, my_salt bigint, my_content bytea,
    OUT outcome int, OUT "position" bigint, OUT new_chain bigint
) LANGUAGE plpgsql AS $$
DECLARE
    known record;
    channel text;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    SELECT n.number, n.committed, n.committed_chain INTO known
        FROM habemus_node n WHERE n.node = my_node AND n.life = my_life FOR UPDATE;
    IF NOT FOUND THEN
        outcome := 2;
        RETURN;
    END IF;
    IF known.number >= my_number THEN
        outcome := 0;
        "position" := known.committed;
        new_chain := known.committed_chain;
        RETURN;
    END IF;
    UPDATE habemus_head h
        SET last = h.last + entries, chain = h.chain # my_salt, bytes = h.bytes + octet_length(my_content)
        WHERE h.epoch = my_epoch
        RETURNING h.last, h.chain, 'habemus_' || h.cluster_id INTO "position", new_chain, channel;
    IF NOT FOUND THEN
        outcome := 1;
        SELECT h.epoch INTO "position" FROM habemus_head h;
        RETURN;
    END IF;
    outcome := 0;
    UPDATE habemus_node n SET number = my_number, committed = "position", committed_chain = new_chain
        WHERE n.node = my_node;
    INSERT INTO habemus_entry VALUES ("position", my_salt, new_chain, my_content);
    PERFORM pg_notify(channel, my_node::text);
END $$;
