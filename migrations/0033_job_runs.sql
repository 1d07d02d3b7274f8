-- When each scheduled job last ran, on whichever node.
alter table job_turns rename to job_runs;
alter index job_turns_pkey rename to job_runs_pkey;

-- Until then nobody claims the queue: a worker has it under a lease, or Shopware asked for a pause.
alter table shopware_fetch_queues rename column held_until to blocked_until;
