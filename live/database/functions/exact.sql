-- An exact token bucket: fractions of a token are kept, a rejection changes nothing,
-- and the level is cut to r*w before the token is taken. It returns the remaining
-- tokens, with their fraction; a negative number is a rejection. The row is locked
-- before the clock is read, as in row-lock. Without a row there is no lock, so that a row
-- which another call has inserted by now may not be read: the insertion conflicts.
create table rate_limits (
  key    text primary key,
  tokens numeric not null,
  stamp  timestamptz not null
);

create function take_token(k text, r int default 2, w int default 60) returns numeric language plpgsql as $$
declare
  remaining numeric;
  clock timestamptz;
begin
  perform 1 from rate_limits b where b.key = k for update;
  clock := clock_timestamp();
  if not found then
    remaining := r * w - 1;
    insert into rate_limits values (k, remaining, clock);
    return remaining;
  end if;
  select greatest(-1, least(r * w, b.tokens + r * {{.ElapsedTo "clock"}}) - 1)
    into remaining from rate_limits b where b.key = k;
  if remaining >= 0 then
    update rate_limits b set tokens = remaining, stamp = clock where b.key = k;
  end if;
  return remaining;
end $$;
