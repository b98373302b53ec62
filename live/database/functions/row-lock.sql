-- The function of the post with a lock of the row first: SELECT ... FOR UPDATE waits,
-- then the clock is read, once, for the refill and for the stamp. Under read committed
-- calls wait for each other and none fails but concurrent first calls of a key
-- (23505), which the caller repeats.
create table rate_limits (
  key    text primary key,
  tokens bigint not null,
  stamp  timestamptz not null
);

create function take_token(k text, r int default 2, w int default 60) returns bigint language plpgsql as $$
declare
  remaining bigint;
  clock timestamptz;
begin
  perform 1 from rate_limits b where b.key = k for update;
  clock := clock_timestamp();
  update rate_limits b set
    tokens = greatest(-1, least(r * w, b.tokens - 1 + r * {{.ElapsedTo "clock"}})),
    stamp = clock
  where b.key = k returning b.tokens into remaining;
  if not found then
    insert into rate_limits values (k, r * w - 1, clock) returning tokens into remaining;
  end if;
  return remaining;
end $$;
